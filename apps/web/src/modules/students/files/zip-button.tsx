import { Alert, Code, Text, TextInput } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { defaultNameTemplate, isNameTemplate, nameTokens } from '#domain/students/files/name-template.ts'
import { wholeNumber } from '#locales/format.ts'
import { download } from '#web/api/client.ts'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'

/** A ZIP with thousands of files takes time. */
const timeoutMs = 60 * 60_000

type Props = {
  /** Path of the ZIP, below /api. */
  path: string
  /** Name of the file without extension. */
  name: string
  query?: Record<string, unknown>
  label: string
  /** Number of documents listed; null while counting, missing for one person. */
  count?: number | null
}

/** Downloads files as one ZIP, named by a template. */
export function ZipButton({ path, name, query, label, count }: Props) {
  const { t } = useTranslation('student-files')
  const [isOpen, setOpen] = useState(false)
  const [template, setTemplate] = useState(defaultNameTemplate)
  const fetching = useMutation({
    mutationFn: () => download(path, `${name}.zip`, { ...query, template }, { timeoutMs }),
    onSuccess: () => setOpen(false),
  })
  const isValid = isNameTemplate(template.trim())
  return (
    <>
      <DisabledReason
        variant="default"
        reason={count === 0 ? t('zip.none') : null}
        leftSection={<IconFileZip size={18} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {label}
      </DisabledReason>
      {isOpen && (
        <DialogForm
          form={{
            form: {},
            formError: fetching.error?.message ?? null,
            busy: fetching.isPending,
            submit: () => isValid && fetching.mutate(),
          }}
          title={label}
          submit={t('zip.download')}
          onClose={() => setOpen(false)}
        >
          <Text size="sm">
            {count ? `${t('zip.count', { count, total: wholeNumber(count) })} ${t('zip.help')}` : t('zip.help')}
          </Text>
          <TextInput
            label={t('zip.template')}
            description={
              <>
                {t('zip.tokens')}{' '}
                {nameTokens.map((token) => (
                  <Code key={token}>{`{${token}}`} </Code>
                ))}
              </>
            }
            value={template}
            onChange={(event) => setTemplate(event.currentTarget.value)}
            error={isValid ? null : t('zip.invalid')}
          />
          <Alert>{t('zip.recorded')}</Alert>
        </DialogForm>
      )}
    </>
  )
}
