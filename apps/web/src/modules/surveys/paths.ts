const base = '/marketing/data-survey-siswa'

/** The page of results of a survey. */
export const resultsPath = (id: string) => `${base}/view/${id}`

/** The builder; with an id it opens the draft of that survey. */
export const builderPath = (id?: string) => (id ? `${base}/create?id=${id}` : `${base}/create`)
