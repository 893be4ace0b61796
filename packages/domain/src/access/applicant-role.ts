/** The only role the code knows by name. Its holders see only their own data and must complete a profile first. */
export const applicantRole = 'Mahasiswa'
