/** Loaded into every program that the demo starts: when the demo is killed, its programs end too. */

// The channel closes with the other process, however that one ended. An ordinary end lets the program stop in order.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// Listening keeps a channel open, and the channel alone must not keep the program running.
process.channel?.unref()
