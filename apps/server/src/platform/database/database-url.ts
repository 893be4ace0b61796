/** Placeholder host for `postgres://user@/database?host=/run/postgresql`, which `new URL` refuses without a host. */
const noHost = 'no-host.invalid'

/** Changes parts of a connection string, also one with a socket folder instead of a host. */
export function withUrlChanged(connectionString: string, change: (url: URL) => void): string {
  const url = new URL(connectionString.replace('@/', `@${noHost}/`))
  change(url)
  return url.href.replace(`@${noHost}/`, '@/')
}
