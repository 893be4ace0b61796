/**
 * The only role the code knows by name: its holders see only their own data and complete a profile before anything
 * else.
 */
export const applicantRole = 'Mahasiswa'
