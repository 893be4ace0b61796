import { z } from 'zod'
import { typedText } from '#entities/define/typed-text.ts'
import { conditionKinds, keyPattern, questionKinds, surveyLimits } from './definition.ts'

const words = (max: number) => z.strictObject({ id: typedText().max(max), en: typedText().max(max) })
const label = words(surveyLimits.label)
const longText = words(surveyLimits.longText)
const key = z.string().min(1).max(surveyLimits.key).regex(keyPattern)
const bound = z.number().min(-surveyLimits.number).max(surveyLimits.number)

const question = z.strictObject({
  key,
  kind: z.enum(questionKinds),
  label,
  help: longText.optional(),
  required: z.boolean(),
  options: z.array(z.strictObject({ key, label })).max(surveyLimits.options).optional(),
  scale: z
    .strictObject({
      from: z.int().min(surveyLimits.scaleFrom).max(surveyLimits.scaleTo),
      to: z.int().min(surveyLimits.scaleFrom).max(surveyLimits.scaleTo),
      fromLabel: label.optional(),
      toLabel: label.optional(),
    })
    .optional(),
  number: z.strictObject({ min: bound.optional(), max: bound.optional() }).optional(),
  text: z.strictObject({ maxLength: z.int().min(1).max(surveyLimits.answerText), multiline: z.boolean() }).optional(),
  consent: longText.optional(),
  when: z
    .strictObject({
      question: key,
      is: z.enum(conditionKinds),
      values: z.array(z.string().max(surveyLimits.key)).max(surveyLimits.options).optional(),
    })
    .optional(),
})

/** Definition of a draft, which may still have `definitionProblems`. */
export const surveyDefinition = z.strictObject({
  title: label,
  intro: longText.optional(),
  thanks: longText.optional(),
  questions: z.array(question).max(surveyLimits.questions),
})
