import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { addressProblems, newPasswordProblems, signInProblems, signUpProblems } from './fields.ts'

/** The signed-in user, returned by every endpoint of this group. */
export const signedInUser = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  email_verified_at: z.string().nullable(),
  role: z.object({ id: z.uuid(), name: z.string() }),
})
export type SignedInUser = z.output<typeof signedInUser>

export const signedIn = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_at: z.string(),
  user: signedInUser,
  /** Present only while two-factor sign-in must be set up first. */
  totp_setup_required: z.literal(true).optional(),
  /** Present only for a role limited to some study programmes. */
  limited: z.literal(true).optional(),
  /**
   * Present only while viewing the product as another account (`user`): the real user's name, and when the view ends.
   */
  seen_by: z.object({ name: z.string(), until: time }).optional(),
})
export type SignedIn = z.output<typeof signedIn>

// Upper bounds only: `fields.ts` has the rules and reports all problems at once.
const inputText = z.string().max(1000)
const doneAnswer = z.object({ data: z.object({ message: z.string() }) })

export const login = endpoint({
  method: 'POST',
  path: '/login',
  access: 'public',
  summary:
    'Sign in with e-mail address and password; 401 `totp_required` asks for the same again with the code of the second factor',
  body: z.strictObject({ email: inputText, password: inputText, code: inputText.optional() }),
  rules: signInProblems,
  response: signedIn,
})

export const register = endpoint({
  method: 'POST',
  path: '/register',
  access: 'public',
  summary: 'Open an account; sending this accepts the current privacy notice, whose version and time are recorded',
  body: z.strictObject({
    name: typedLine().max(1000),
    email: inputText,
    phone: inputText,
    password: inputText,
    password_confirmation: inputText,
    ref: z.string().max(60).optional(),
    /** Random id the browser made when it came through an affiliate. */
    device: z.uuid().optional(),
    /** Token of a sign-up link that staff gave a lead. */
    lead: z.string().max(80).optional(),
  }),
  rules: signUpProblems,
  response: signedIn,
})

export const verifyToken = endpoint({
  method: 'POST',
  path: '/verify_token',
  access: 'public',
  reads: true,
  summary: 'Tell whether a kept token is still good',
  body: z.strictObject({ api_token: inputText }),
  response: signedIn,
})

export const logout = endpoint({
  method: 'POST',
  path: '/logout',
  access: 'signed-in',
  summary: 'End this session',
  response: doneAnswer,
})

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/forgot_password',
  access: 'public',
  summary: 'Send a link for a new password; answers the same whether the address is known or not',
  body: z.strictObject({ email: inputText }),
  rules: addressProblems,
  response: doneAnswer,
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/reset_password',
  access: 'public',
  summary: 'Choose a new password by the link from the mail; ends every session',
  body: z.strictObject({ token: inputText, password: inputText, password_confirmation: inputText }),
  rules: newPasswordProblems,
  response: doneAnswer,
})

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/auth/verify-email',
  access: 'public',
  summary: 'Confirm an e-mail address by the link from the mail; again it answers that it is confirmed already',
  body: z.strictObject({ token: inputText }),
  response: z.object({
    data: z.object({
      email: z.string(),
      emailVerifiedAt: time,
      /** Whether the link changed the account's address. */
      changed: z.boolean(),
      /** Whether the link was already used: by this user, on another device, or by a double tap. */
      already: z.boolean(),
    }),
  }),
})

const verificationState = z.object({
  data: z.object({
    email: z.string(),
    /** New address, not confirmed yet. */
    pendingEmail: z.string().nullable(),
    verified: z.boolean(),
    /** Seconds until another mail can be requested. */
    waitSeconds: z.number().int(),
  }),
})

export const emailVerification = endpoint({
  method: 'GET',
  path: '/auth/verify-email',
  access: 'signed-in',
  summary: 'Which address waits for confirmation and when another mail may be sent',
  response: verificationState,
})

export const resendVerification = endpoint({
  method: 'POST',
  path: '/auth/verify-email/resend',
  access: 'signed-in',
  summary: 'Send the verification mail again',
  response: verificationState,
})

export const authOptions = endpoint({
  method: 'GET',
  path: '/auth/options',
  access: 'public',
  summary: 'Ways to sign in that are set up here, and the privacy notice in force',
  response: z.object({
    data: z.object({
      google: z.boolean(),
      consentVersion: z.string(),
      /** Empty for the built-in notice. */
      privacyNotice: z.object({ en: z.string(), id: z.string() }),
      universityName: z.string(),
    }),
  }),
})

export const googleStart = endpoint({
  method: 'GET',
  path: '/auth/google/start',
  access: 'public',
  summary: 'Send the browser to Google',
  query: z.object({
    to: z.string().max(500).optional(),
    ref: z.string().max(60).optional(),
    device: z.uuid().optional(),
    language: z.enum(languages).optional(),
  }),
  response: z.unknown(),
})

export const googleCallback = endpoint({
  method: 'GET',
  path: '/auth/google/callback',
  access: 'public',
  summary: 'Where Google sends the browser back to',
  query: z.looseObject({
    code: z.string().max(4000).optional(),
    state: z.string().max(500).optional(),
    error: z.string().max(200).optional(),
  }),
  response: z.unknown(),
})

export const googleExchange = endpoint({
  method: 'POST',
  path: '/auth/google/exchange',
  access: 'public',
  summary:
    'Exchange the one-time code of a Google sign-in for a session, in the browser that started it; 401 `totp_required` asks for the same again with the code of the second factor',
  body: z.strictObject({ code: inputText, totp: inputText.optional() }),
  response: signedIn,
})

const account = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  emailVerifiedAt: time.nullable(),
  pendingEmail: z.string().nullable(),
  phone: z.string().nullable(),
  role: z.string(),
  language: z.enum(languages),
  theme: z.enum(['light', 'dark', 'system']),
  /** Whether the user also wants WhatsApp messages, for events that send them. */
  whatsapp: z.boolean(),
  hasPassword: z.boolean(),
  googleLinked: z.boolean(),
  twoFactor: z.boolean(),
  consentVersion: z.string().nullable(),
  consentAt: time.nullable(),
  createdAt: time,
})
export type Account = z.output<typeof account>

export const getAccount = endpoint({
  method: 'GET',
  path: '/account',
  access: 'signed-in',
  summary: 'The signed-in account',
  response: z.object({ data: account }),
})

export const updatePreferences = endpoint({
  method: 'PUT',
  path: '/account/preferences',
  access: 'signed-in',
  summary: 'Keep language, theme and the wish for WhatsApp messages with the account',
  body: z.strictObject({
    language: z.enum(languages).optional(),
    theme: z.enum(['light', 'dark', 'system']).optional(),
    whatsapp: z.boolean().optional(),
  }),
  response: z.object({ data: account }),
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/account/password',
  access: 'signed-in',
  summary: 'Change the password; every other session ends',
  body: z.strictObject({ currentPassword: inputText.optional(), password: inputText, passwordConfirmation: inputText }),
  rules: ({ password, passwordConfirmation }) => {
    const problems = newPasswordProblems({ password, password_confirmation: passwordConfirmation })
    return { password: problems.password, passwordConfirmation: problems.password_confirmation }
  },
  response: z.object({ data: z.object({ endedSessions: z.number().int() }) }),
})

export const changeEmail = endpoint({
  method: 'POST',
  path: '/account/email',
  access: 'signed-in',
  summary: 'Ask for another e-mail address; it counts once its own link was opened',
  body: z.strictObject({ email: inputText, password: inputText.optional() }),
  rules: addressProblems,
  response: verificationState,
})

const session = z.object({
  id: z.uuid(),
  current: z.boolean(),
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
})
export type AccountSession = z.output<typeof session>

export const listSessions = endpoint({
  method: 'GET',
  path: '/account/sessions',
  access: 'signed-in',
  summary: 'Where this account is signed in',
  response: z.object({ data: z.array(session) }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/account/sessions/:id',
  access: 'signed-in',
  summary: 'Sign one device out',
  params: z.object({ id: z.uuid() }),
  response: z.object({ data: z.object({ ended: z.number().int() }) }),
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/account/sessions',
  access: 'signed-in',
  summary: 'Sign every other device out',
  response: z.object({ data: z.object({ ended: z.number().int() }) }),
})

export const exportAccount = endpoint({
  method: 'GET',
  path: '/account/export',
  access: 'signed-in',
  summary: 'Download everything held about the signed-in person, as JSON',
  response: z.record(z.string(), z.unknown()),
})

const studyIntent = z.object({
  waveId: z.uuid().nullable(),
  trackId: z.uuid().nullable(),
  classProgrammeId: z.uuid().nullable(),
  programmeIds: z.array(z.uuid()),
})
export type StudyIntent = z.output<typeof studyIntent>

export const getStudyIntent = endpoint({
  method: 'GET',
  path: '/account/study-intent',
  access: 'signed-in',
  summary: 'What the applicant would like to study, chosen before a registration exists',
  response: z.object({ data: studyIntent.nullable() }),
})

export const saveStudyIntent = endpoint({
  method: 'PUT',
  path: '/account/study-intent',
  access: 'signed-in',
  summary: 'Keep what the applicant would like to study; offered again when a registration is made',
  body: z.strictObject({
    waveId: z.uuid().nullable(),
    trackId: z.uuid().nullable(),
    classProgrammeId: z.uuid().nullable(),
    programmeIds: z.array(z.uuid()).max(5),
  }),
  response: z.object({ data: studyIntent }),
})
