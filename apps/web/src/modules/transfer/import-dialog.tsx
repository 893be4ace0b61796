import { Button, Group, Modal, Select, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Answer } from '#domain/endpoint.ts'
import { importEndpointsOf, type readImport } from '#domain/transfer/endpoints.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { entities, getEntity } from '#entities/index.ts'
import { download } from '#web/api/client.ts'
import { upload } from '#web/api/upload.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useTransferWords } from './words.ts'

const acceptedTypes = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/csv',
  'application/vnd.ms-excel',
]
const mostBytes = 30_000_000
const formats = ['xlsx', 'csv'] as const

type Props = {
  /** Without it the reader first selects the entity. */
  entity?: Entity | undefined
  /** Parent of the imported rows. */
  parentId?: string | undefined
  opened: boolean
  onClose: () => void
}

/** Downloads the template and uploads a sheet; the result has its own page. */
export function ImportDialog({ entity: fixedEntity, parentId, opened, onClose }: Props) {
  const { t, say } = useTransferWords()
  const words = useSurroundings()
  const { may } = useSession()
  const [slug, setSlug] = useState<string | null>(fixedEntity?.slug ?? null)
  const entity = fixedEntity ?? (slug ? getEntity(slug) : undefined)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={entity ? t('import.title', { what: say(entity.label.many).toLowerCase() }) : t('import.button')}
      closeButtonProps={{ 'aria-label': words.say('actions.close') }}
    >
      <Stack gap="lg">
        {!fixedEntity && (
          <Select
            label={t('import.choose')}
            searchable
            value={slug}
            onChange={setSlug}
            data={entities
              .filter((candidate) => may(permissionOf(candidate, 'create')))
              .map((candidate) => ({ value: candidate.slug, label: say(candidate.label.many) }))
              .sort((a, b) => a.label.localeCompare(b.label))}
          />
        )}
        {entity && <Steps key={entity.slug} entity={entity} parentId={parentId} onSent={onClose} />}
      </Stack>
    </Modal>
  )
}

type StepsProps = { entity: Entity; parentId: string | undefined; onSent: () => void }

function Steps({ entity, parentId, onSent }: StepsProps) {
  const { t } = useTransferWords()
  const navigate = useNavigate()
  const { template, upload: send } = importEndpointsOf(entity)
  const fetching = useMutation({
    mutationFn: (format: (typeof formats)[number]) =>
      download(template.path, `${entity.slug}-template.${format}`, { format }),
    onError: (error) => notifications.show({ message: error.message, color: 'red' }),
  })
  const onSend = async (file: File, onProgress: (share: number) => void, signal: AbortSignal) => {
    const form = new FormData()
    form.append('file', file)
    const path = parentId ? `${send.path}?parentId=${parentId}` : send.path
    const { data } = await upload<Answer<typeof readImport>>(path, form, onProgress, { signal })
    navigate(`/settings/imports/${data.id}`)
    onSent()
  }
  return (
    <>
      <section>
        <Title order={3} size="h4">
          {t('import.step1')}
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          {t('import.step1Text')}
        </Text>
        <Group gap="sm">
          {formats.map((format) => (
            <Button
              key={format}
              variant="default"
              leftSection={<IconFileSpreadsheet size={18} aria-hidden="true" />}
              loading={fetching.isPending && fetching.variables === format}
              onClick={() => fetching.mutate(format)}
            >
              {t('import.template', { format: format.toUpperCase() })}
            </Button>
          ))}
        </Group>
      </section>
      <section>
        <Title order={3} size="h4">
          {t('import.step2')}
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          {t('import.step2Text')}
        </Text>
        <FileDrop
          label={t('import.file')}
          accept={acceptedTypes}
          maxBytes={mostBytes}
          shrink={false}
          hint={t('import.hint')}
          onSend={onSend}
        />
      </section>
    </>
  )
}
