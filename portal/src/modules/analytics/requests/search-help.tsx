/** What the search of the log understands. */
const examples = [
  ['status:error', 'failed; status:429 one status'],
  ['model:opus', 'a part of the model id'],
  ['user:ada  team:"data science"', 'a part of a name, with quotes when it has blanks'],
  ['cost>0.5  duration>=30000  tokens<100', 'US dollars, milliseconds, tokens'],
  ['tool:bash  session:…  agent:…', 'what the client named'],
  ['error:throttling  flag:price_estimated', 'why it failed, or a mark'],
] as const

export function SearchHelp() {
  return (
    <details className="rounded-12 border border-line bg-surface px-4 py-3">
      <summary className="cursor-pointer text-text-2">How to search</summary>
      <dl className="mt-3 grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
        {examples.map(([words, meaning]) => (
          <div key={words} className="contents">
            <dt className="font-mono text-13 [overflow-wrap:anywhere]">{words}</dt>
            <dd className="text-text-2">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-text-2">
        All of the words must hold. A word alone is a request id or a part of a model id.
      </p>
    </details>
  )
}
