/**
 * Loaded before every test file. A test process tells its results through a pipe and is then made to exit, and what the
 * pipe had not taken was lost: tests at the end of a long file stood in no report, failures lost their names
 * (nodejs/node#64833). So writing waits.
 */
const { _handle: handle } = process.stdout as { _handle?: { setBlocking?: (isBlocking: boolean) => void } }
handle?.setBlocking?.(true)
