import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { blocksOf } from '#domain/letters/letter-texts.ts'
import type { Language } from '#entities/define/language.ts'
import { Facts } from '#web/ui/facts.tsx'
import classes from './letters.module.css'

type Props = {
  language: Language
  /** Title and body with their values filled in. */
  title: string
  body: string
  /** Lines between title and body. */
  children?: ReactNode
}

/** A letter's text, laid out as on paper. */
export const LetterText = ({ language, title, body, children }: Props) => (
  <div className={classes.letter} lang={language}>
    <Text fw={600}>{title}</Text>
    {children}
    {blocksOf(body).map((block, index) =>
      'text' in block ? (
        <p key={index} className={classes.paragraph}>
          {block.text}
        </p>
      ) : (
        <Facts key={index} facts={block.facts} />
      ),
    )}
  </div>
)
