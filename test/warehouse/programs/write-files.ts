/** A writer of the warehouse in a process of its own, to be killed: `node write-files.ts <database> <folder>`. */
import { createFolder } from '../../../src/extensions/warehouse/folder.ts'
import { createWarehouseWriter } from '../../../src/extensions/warehouse/write-files.loop.ts'
import { openDatabase } from '../../../src/foundation/database/database.ts'
import { newId } from '../../../src/foundation/platform/ids.ts'
import { createLogging } from '../../../src/foundation/platform/logger.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const database = await openDatabase({ kind: 'url', url })
const instanceId = newId()
const { log } = createLogging({ level: 'info', format: 'json', write: (line) => console.log(line) })
const writer = createWarehouseWriter({
  findDatabase: () => database,
  destination: createFolder(folder, instanceId),
  instanceId,
  log,
  readOpenDay: async () => '2027-01-01',
})
console.log('ready')
for (;;) await writer.run(new AbortController().signal)
