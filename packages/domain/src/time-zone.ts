let current = 'Asia/Jakarta'

/** The time zone of the university, a setting; Jakarta's until it is read. */
export const universityTimeZone = () => current

/** Called wherever the settings are read: by the server from the database, by the web from the page. */
export function setUniversityTimeZone(timeZone: string) {
  current = timeZone
}
