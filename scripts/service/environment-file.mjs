import fs from 'node:fs'

/** Settings in an environment file as systemd reads it: one per line, without quotes around the value. */
export function readEnvironmentFile(file) {
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  const pairs = lines.map((line) => /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line)).filter(Boolean)
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value.replace(/^(["'])(.*)\1$/, '$2')]))
}
