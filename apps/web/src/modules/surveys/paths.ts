const base = '/marketing/data-survey-siswa'

/** Path of a survey's page, with results and links. */
export const resultsPath = (id: string) => `${base}/view/${id}`

/** Path of the builder. With an id, the builder opens that survey's draft. */
export const builderPath = (id?: string) => (id ? `${base}/create?id=${id}` : `${base}/create`)
