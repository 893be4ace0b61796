let isNewer = false
const listeners = new Set<() => void>()

/** Build of this tab, written into the page by the server; null in development. */
const ownBuild = () => document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? null

/** Notes the build named in an answer. A build other than this tab's means the site was updated since. */
export function noteBuild(build: string | null) {
  if (isNewer || !build || (ownBuild() ?? build) === build) return
  isNewer = true
  for (const listener of listeners) listener()
}

/** Whether the server has a newer build than this tab. */
export const hasNewerBuild = () => isNewer

export function onNewerBuild(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
