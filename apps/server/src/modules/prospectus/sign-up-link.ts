import type { Offer } from './facts.ts'
import type { Programme, Track, Wave } from './read-prospectus.ts'
import { type Reader, withQuery } from './reader.ts'

type Choice = { wave: Wave; track?: Track | undefined; programme?: Programme; offer?: Offer | undefined }

/** Sign-up with what was chosen on these pages; `arrival.ts` of the web reads it. */
export const signUpLink = ({ language, tellsLanguage }: Reader, { wave, track, programme, offer }: Choice) =>
  withQuery('/multi-step-sign-up', {
    wave: wave.id,
    track: track?.id,
    programme: programme?.id,
    class: offer?.id,
    ...(tellsLanguage && { lang: language }),
  })
