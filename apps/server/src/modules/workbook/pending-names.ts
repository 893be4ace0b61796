export type PendingNames = ReturnType<typeof collectPendingNames>

/** Collects codes and names of rows with a problem, so that references to them are no second problem. */
export function collectPendingNames() {
  const names = new Map<string, Set<string>>()
  const sheets = new Set<string>()
  return {
    add(slug: string, name: string) {
      names.set(slug, (names.get(slug) ?? new Set()).add(name.toLowerCase()))
    },
    /** For a sheet whose rows cannot be identified. */
    addSheet(slug: string) {
      sheets.add(slug)
    },
    has: (slug: string, name: string) => sheets.has(slug) || names.get(slug)?.has(name.toLowerCase()) === true,
  }
}
