import fs from 'node:fs'

/** User and group ids of a user on this machine, for spawning a program. */
export function findUser(name) {
  const entries = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  const [, , uid, gid] = entries.find((entry) => entry.startsWith(`${name}:`))?.split(':') ?? []
  if (!uid) throw new Error(`There is no user ${name}.`)
  return { uid: Number(uid), gid: Number(gid) }
}
