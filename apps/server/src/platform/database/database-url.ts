/** Stands in for the host that `postgres://user@/database?host=/run/postgresql` leaves out; `new URL` refuses it so. */
const noHost = 'no-host.invalid'

/** Changes parts of a connection string, including one that names the folder of a socket instead of a host. */
export function withUrlChanged(connectionString: string, change: (url: URL) => void): string {
  const url = new URL(connectionString.replace('@/', `@${noHost}/`))
  change(url)
  return url.href.replace(`@${noHost}/`, '@/')
}
