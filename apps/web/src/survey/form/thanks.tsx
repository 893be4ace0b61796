/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'
import { sayIn } from '#web/survey/say.ts'
import { wordsIn } from './words.ts'

/** Heading of a view. The builder's preview uses h3 because the preview is part of another page. */
export const Heading = ({ as: Tag = 'h1', children }: { as?: 'h1' | 'h3'; children: ComponentChildren }) => (
  <Tag class="sv-title" tabIndex={-1}>
    {children}
  </Tag>
)

type Props = {
  definition: SurveyDefinition
  language: Language
  as?: 'h1' | 'h3'
  onAgain: () => void
  /** Shown below the text, such as a kiosk's countdown. */
  children?: ComponentChildren
}

export function Thanks({ definition, language, as, onAgain, children }: Props) {
  const say = sayIn(language)
  return (
    <>
      <Heading as={as}>{say('thanks')}</Heading>
      <p class="sv-intro">{wordsIn(definition.thanks, language) || say('thanksText')}</p>
      {children}
      <button type="button" class="sv-button" onClick={onAgain}>
        {say('another')}
      </button>
    </>
  )
}
