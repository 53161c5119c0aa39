/** Does it match the cloud bill? A report of it is given to the gateway, which compares it with what it counted. */
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Command } from '../../ui/copy.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Card, Columns } from '../../ui/layout.tsx'
import { Failure } from '../../ui/states.tsx'
import { ReconcileResult } from './reconcile-result.tsx'

function useReconciliation() {
  const [file, setFile] = useState<File>()
  const [sent, setSent] = useState(0)
  const stop = useRef<AbortController>(undefined)
  const write = useWrite(
    (chosen: File) => {
      stop.current = new AbortController()
      const { signal } = stop.current
      return api.upload('/admin/analytics/reconciliation', { file: chosen, onProgress: setSent, signal })
    },
    { showsErrors: true },
  )
  return {
    file,
    sent,
    write,
    compare: (chosen: File): void => {
      setFile(chosen)
      setSent(0)
      write.mutate(chosen)
    },
    cancel: (): void => stop.current?.abort(),
    forget: (): void => {
      setFile(undefined)
      write.reset()
    },
  }
}

type Asked = ReturnType<typeof useReconciliation>

export function ReconcileSection() {
  const asked = useReconciliation()
  const { file, write } = asked
  if (file !== undefined && write.data !== undefined && !write.isPending)
    return <ReconcileResult name={file.name} data={write.data} onAnother={asked.forget} />
  return (
    <>
      <Card title="Compare with the bill" lead="It goes to the gateway and nowhere else, and nothing of it is kept.">
        {write.isPending && file !== undefined ? <Sending asked={asked} file={file} /> : <Chooser asked={asked} />}
      </Card>
      <HowToGetIt />
    </>
  )
}

function Chooser({ asked: { file, write, compare } }: { readonly asked: Asked }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const take = (files: FileList | null): void => {
    if (files !== null && files.length > 0) compare(asOne([...files]))
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files)
  }
  const isStopped = write.error instanceof DOMException
  return (
    <div className="flex flex-col gap-3">
      {write.isError && !isStopped && (
        <Failure
          error={write.error}
          title={`${file?.name ?? 'The report'} could not be compared`}
          retry={file === undefined ? undefined : () => compare(file)}
        />
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a short cut; the button in it does the same. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        className={`flex flex-col items-center gap-3 rounded-8 border border-dashed px-4 py-8 text-center ${isOver ? 'border-accent bg-sunken' : 'border-control'}`}
      >
        <FileUp className="size-6 text-text-3" aria-hidden />
        <p className="text-text-2">
          Drop a Cost and Usage Report or a file of Cost Explorer here (.csv or .csv.gz), or
        </p>
        <Button tone="primary" onClick={() => input.current?.click()}>
          Choose a report
        </Button>
        <input
          ref={input}
          type="file"
          aria-label="Report of the bill"
          tabIndex={-1}
          multiple
          accept=".csv,.gz,text/csv,application/gzip"
          className="sr-only"
          onChange={(event) => {
            take(event.target.files)
            // The same file may be chosen again.
            event.target.value = ''
          }}
        />
      </div>
    </div>
  )
}

/** A month is often made in several files, each with its header. Packed ones follow each other as they are. */
function asOne(files: readonly File[]): File {
  const [first] = files
  if (first !== undefined && files.length === 1) return first
  const parts = files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return new File(
    parts.flatMap((part) => (part.name.endsWith('.gz') ? [part] : [part, '\n'])),
    `${files.length} files`,
  )
}

const MEGA = 1_000_000

function Sending({ asked: { sent, cancel }, file }: { readonly asked: Asked; readonly file: File }) {
  const isSent = sent >= file.size
  const size = (bytes: number): string => formatNumber(bytes / MEGA)
  return (
    <div className="flex flex-col gap-3 py-4">
      <p className="[overflow-wrap:anywhere]">
        <span className="font-medium">{file.name}</span>{' '}
        <span className="text-text-2">
          {isSent ? 'was sent; the gateway compares it.' : `${size(sent)} of ${size(file.size)} MB are sent.`}
        </span>
      </p>
      <progress
        aria-label="How much of the report is sent"
        max={Math.max(1, file.size)}
        {...(isSent ? {} : { value: sent })}
        className="h-2 w-full accent-accent"
      />
      <div>
        <Button onClick={cancel}>Cancel</Button>
      </div>
      <span role="status" className="sr-only">
        {isSent ? 'The gateway compares the report' : 'The report is being sent'}
      </span>
    </div>
  )
}

const ways = [
  {
    title: 'Cost and Usage Report 2.0',
    steps: [
      'AWS console → Billing and Cost Management → Data Exports → Create.',
      'Standard data export, CUR 2.0; hourly or daily; with resource IDs.',
      'Format: text/csv with gzip. The file is in your S3 bucket within a day.',
    ],
    gives: 'Tells dollars and tokens by day, model, account, region and inference profile.',
  },
  {
    title: 'Legacy report',
    steps: [
      'The same page, Legacy CUR export.',
      'Hourly or daily, with resource IDs, compression GZIP.',
      'A month may have several files: choose all of them together.',
    ],
    gives: 'Tells the same.',
  },
  {
    title: 'Cost Explorer',
    steps: [
      'AWS console → Cost Explorer, granularity Daily.',
      'Group by Service. Do not filter to Amazon Bedrock: Claude is billed by AWS Marketplace.',
      'Download as CSV.',
    ],
    gives: 'Quick, but dollars alone: a price and foreign calls cannot be told apart.',
  },
] as const

function HowToGetIt() {
  return (
    <Card title="How to get the report" lead="Days are those of UTC. The last two are not final on any bill.">
      <Columns min={260}>
        {ways.map(({ title, steps, gives }) => (
          <div key={title}>
            <h3 className="font-medium">{title}</h3>
            <ol className="mt-1 list-decimal space-y-1 pl-5 text-text-2">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <p className="mt-1.5 text-13 text-text-3">{gives}</p>
          </div>
        ))}
      </Columns>
      <p className="mt-4 mb-2 text-13 text-text-3">
        Columns that are needed, in either spelling: line_item_usage_start_date, line_item_line_item_type,
        line_item_usage_type, line_item_unblended_cost, and product or product/ProductName. For a job every month:
      </p>
      <Command label="the command" text="causeway analytics reconcile report.csv.gz --tolerance 1" />
    </Card>
  )
}
