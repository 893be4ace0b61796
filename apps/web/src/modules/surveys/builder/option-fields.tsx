import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Option, surveyLimits } from '#domain/surveys/definition.ts'
import { bindingsOf } from '#web/ui/form/use-values.ts'
import classes from './builder.module.css'
import { moveBy, newOption, removeAt, replaceAt } from './draft-changes.ts'
import type { Builder } from './use-builder.ts'

type Props = { name: string; options: Option[]; onChange: (options: Option[]) => void; field: Builder['field'] }

export function OptionFields({ name, options, onChange, field }: Props) {
  const { t } = useTranslation('survey-builder')
  const { error } = field(name)
  return (
    <Input.Wrapper
      labelElement="div"
      label={t('options')}
      error={typeof error === 'string' && options.length < 2 ? error : undefined}
    >
      <Stack gap="xs" mt={4}>
        {options.map((option, index) => {
          const number = index + 1
          const { text } = bindingsOf(
            option.label,
            (change) => onChange(replaceAt(options, index, { ...option, label: { ...option.label, ...change } })),
            (language) => field(`${name}.${index}.label.${language}`),
          )
          const props = (language: 'id' | 'en') => ({
            'aria-label': t(language === 'id' ? 'inLanguage' : 'inEnglish', { field: t('option', { number }) }),
            placeholder: language === 'id' ? 'Indonesia' : 'English',
            lang: language,
            ...text(language),
          })
          return (
            <div key={option.key} className={classes.option}>
              <TextInput {...props('id')} />
              <TextInput {...props('en')} />
              <Group gap={4} wrap="nowrap">
                <ActionIcon
                  variant="default"
                  size="lg"
                  disabled={index === 0}
                  aria-label={t('optionUp', { number })}
                  onClick={() => onChange(moveBy(options, index, -1))}
                >
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  size="lg"
                  disabled={index === options.length - 1}
                  aria-label={t('optionDown', { number })}
                  onClick={() => onChange(moveBy(options, index, 1))}
                >
                  <IconArrowDown size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={t('removeOption', { number })}
                  onClick={() => onChange(removeAt(options, index))}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </Group>
            </div>
          )
        })}
        {options.length < surveyLimits.options && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            style={{ alignSelf: 'start' }}
            onClick={() => onChange([...options, newOption()])}
          >
            {t('addOption')}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  )
}
