import { degreeOf, lowestOf } from './facts.ts'
import { addressesOf } from './layout.ts'
import type { Programme, Prospectus, Wave } from './read-prospectus.ts'
import type { Reader } from './reader.ts'
import type { Question } from './sections.ts'

/** The university as schema.org describes it; empty fields are left out. */
export function universityData({ university }: Prospectus, publicUrl: string) {
  const { name, address, phone, email, website, logo } = university
  return {
    '@type': 'CollegeOrUniversity',
    '@id': `${publicUrl}/daftar#university`,
    name,
    url: website || publicUrl,
    ...(address && { address }),
    ...(phone && { telephone: phone }),
    ...(email && { email }),
    ...(logo && { logo: publicUrl + logo }),
  }
}

export function programmeData(
  reader: Reader,
  prospectus: Prospectus,
  publicUrl: string,
  programme: Programme,
  wave: Wave | undefined,
) {
  const address = addressesOf(publicUrl, programmePath(programme))[reader.language]
  const description = reader.textOf(programme.descriptionEn, programme.description)
  const lowest = wave && prospectus.isOpen ? lowestOf(prospectus, wave, programme) : undefined
  return {
    '@type': 'EducationalOccupationalProgram',
    name: reader.nameOf(programme),
    url: address,
    educationalCredentialAwarded: degreeOf(reader, programme),
    provider: { '@id': `${publicUrl}/daftar#university` },
    ...(description && { description }),
    ...(wave && {
      applicationStartDate: wave.opensAt.toISOString(),
      applicationDeadline: wave.closesAt.toISOString(),
    }),
    ...(lowest && {
      offers: { '@type': 'Offer', category: 'Tuition', price: lowest.firstYear, priceCurrency: 'IDR', url: address },
    }),
  }
}

export const questionsData = (questions: readonly Question[]) => ({
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
})

export const programmePath = ({ code }: Pick<Programme, 'code'>) => `/daftar/prodi/${encodeURIComponent(code)}`
