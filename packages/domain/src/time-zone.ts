let current = 'Asia/Jakarta'

/** The time zone of the university, a setting; Jakarta until the settings are read. */
export const universityTimeZone = () => current

/** Called after reading the settings: by the server from the database, by the web from the page. */
export function setUniversityTimeZone(timeZone: string) {
  current = timeZone
}
