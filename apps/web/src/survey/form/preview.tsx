/** @jsxImportSource preact */
import { render } from 'preact'
import { useCallback, useMemo, useState } from 'preact/hooks'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'
import { newId } from '#web/offline/new-id.ts'
import { emptySheet, withAnswer } from './answer-sheet.ts'
import type { FormServices } from './field.tsx'
import { type OnAnswer, SurveyForm } from './survey-form.tsx'
import { Heading, Thanks } from './thanks.tsx'
import { wordsIn } from './words.ts'

type Props = {
  definition: SurveyDefinition
  language: Language
  /** City of the made-up schools in search results. */
  exampleCity: string
}

/** Renders a preview of a survey into `place`, or empties `place` if `props` is null. */
export const drawPreview = (place: Element, props: Props | null) => render(props && <Preview {...props} />, place)

function Preview({ definition, language, exampleCity }: Props) {
  const [sheet, setSheet] = useState(emptySheet)
  const [isThanking, setThanking] = useState(false)
  const [photos] = useState(() => new Map<string, Blob>())
  const services = useMemo(
    (): FormServices => ({
      findSchools: async (text) => [{ id: newId(), name: `SMA ${text}`, city: exampleCity }],
      keepPhoto: async (photo) => {
        const id = newId()
        photos.set(id, photo)
        return id
      },
      findPhoto: async (id) => photos.get(id),
      dropPhoto: (id) => photos.delete(id),
    }),
    [photos, exampleCity],
  )
  const onAnswer = useCallback<OnAnswer>((...change) => setSheet((before) => withAnswer(before, ...change)), [])
  const startOver = () => {
    setSheet(emptySheet)
    setThanking(false)
  }

  return (
    <div class="sv-sheet">
      {isThanking ? (
        <Thanks definition={definition} language={language} as="h3" onAgain={startOver} />
      ) : (
        <>
          <Heading as="h3">{wordsIn(definition.title, language)}</Heading>
          <SurveyForm
            {...sheet}
            {...{ definition, language, services, onAnswer }}
            id="preview"
            autocomplete={false}
            onSubmit={() => setThanking(true)}
          />
        </>
      )}
    </div>
  )
}
