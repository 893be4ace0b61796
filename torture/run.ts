/*
 * npm run torture [-- …]: money under SIGKILL, see money.ts.
 * npm run torture -- sending [--seed 1] [--messages 20000] [--kills 50]: campaigns, notices and answers under SIGKILL, see sending/sending.ts.
 */
if (process.argv[2] === 'sending') {
  process.argv.splice(2, 1)
  await import('./sending/sending.ts')
} else await import('./money.ts')

export {}
