export const surveyStates = ['draft', 'open', 'closed'] as const
export type SurveyState = (typeof surveyStates)[number]

/** Why a link takes no responses. `survey_link_ended`: the link's end has passed, or staff closed the link. */
export const linkRefusals = ['survey_not_published', 'survey_closed', 'survey_link_ended', 'survey_link_full'] as const
export type LinkRefusal = (typeof linkRefusals)[number]

export const linkStates = ['open', 'full', 'ended', 'closed'] as const
export type LinkState = (typeof linkStates)[number]

export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

export const responsesPerCall = 100

/** In practice photos are smaller, because devices shrink them before sending. */
export const maxPhotoBytes = 8_000_000

/** Path of a link's public page. */
export const surveyPath = (slug: string) => `/survei/${slug}`
