/** The only role the program knows by name: its holders see what is theirs and complete a profile before anything else. */
export const applicantRole = 'Mahasiswa'
