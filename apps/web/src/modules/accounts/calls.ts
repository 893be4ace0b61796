import type * as calls from '#domain/accounts/endpoints.ts'
import type * as admissions from '#domain/admissions/endpoints.ts'
import type * as applicants from '#domain/applicants/endpoints.ts'

/**
 * The calls of the entrance pages by address alone: their schemas (and the library that checks them) stay on the server,
 * so that the first page is light. The types still come from the declarations.
 */
const light = (method: string, path: string) => ({ method, path }) as unknown

export const login = light('POST', '/login') as typeof calls.login
export const register = light('POST', '/register') as typeof calls.register
export const forgotPassword = light('POST', '/forgot_password') as typeof calls.forgotPassword
export const resetPassword = light('POST', '/reset_password') as typeof calls.resetPassword
export const authOptions = light('GET', '/auth/options') as typeof calls.authOptions
export const googleExchange = light('POST', '/auth/google/exchange') as typeof calls.googleExchange
export const verifyEmail = light('POST', '/auth/verify-email') as typeof calls.verifyEmail
export const emailVerification = light('GET', '/auth/verify-email') as typeof calls.emailVerification
export const resendVerification = light('POST', '/auth/verify-email/resend') as typeof calls.resendVerification
export const changeEmail = light('POST', '/account/email') as typeof calls.changeEmail
export const saveStudyIntent = light('PUT', '/account/study-intent') as typeof calls.saveStudyIntent
export const getStudyIntent = light('GET', '/account/study-intent') as typeof calls.getStudyIntent
export const getAccount = light('GET', '/account') as typeof calls.getAccount
export const readIntake = light('GET', '/intake') as typeof admissions.readIntake
export const getProfile = light('GET', '/auth/my-profile') as typeof applicants.getProfile
export const updateProfile = light('PUT', '/auth/my-profile') as typeof applicants.updateProfile
