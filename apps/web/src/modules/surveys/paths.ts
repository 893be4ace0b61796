const base = '/marketing/data-survey-siswa'

/** A survey's page, opened at its results. */
export const resultsPath = (id: string) => `${base}/view/${id}`

/** The builder; with an id, it opens that survey's draft. */
export const builderPath = (id?: string) => (id ? `${base}/create?id=${id}` : `${base}/create`)
