import { Button, Group, Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldOf } from '#entities/define/field.ts'

import { upload } from '#web/api/upload.ts'
import { FileDrop } from '#web/ui/form/file-drop.tsx'

type Props = {
  label: ReactNode
  description?: ReactNode
  error?: ReactNode
  withAsterisk?: boolean
  name: string
  size?: 'sm'
  slug: string
  field: FieldOf<'file'>
  value: string | null
  title?: string
  onChange: (value: string | null) => void
}

const documents = ['application/pdf', 'image/jpeg', 'image/png']

/** Uploads the file at once and holds its id; saving the form links it to the row. */
export function FileInput({
  label,
  description,
  error,
  withAsterisk,
  name,
  slug,
  field,
  value,
  title,
  onChange,
}: Props) {
  const { t } = useTranslation('common')
  const [sentName, setSent] = useState<string | null>(null)
  const fileName = sentName ?? title ?? null
  return (
    <Input.Wrapper
      label={value ? label : undefined}
      description={description}
      error={error}
      withAsterisk={withAsterisk}
      maw={480}
    >
      {value && (
        <Group gap="sm" mt={4} mb="xs">
          <span>{fileName}</span>
          <Button variant="subtle" color="red.9" size="compact-sm" onClick={() => onChange(null)}>
            {t('actions.remove')}
          </Button>
        </Group>
      )}
      {!value && (
        <FileDrop
          label={label}
          accept={field.accept === 'image' ? ['image/jpeg', 'image/png', 'image/webp'] : documents}
          maxBytes={field.maxMb * 1024 * 1024}
          onSend={async (file, onProgress, signal) => {
            const form = new FormData()
            form.append('file', file)
            const { data } = await upload<{ data: { id: string; name: string } }>(
              `/master/${slug}/files/${name}`,
              form,
              onProgress,
              { signal },
            )
            setSent(data.name)
            onChange(data.id)
          }}
        />
      )}
    </Input.Wrapper>
  )
}
