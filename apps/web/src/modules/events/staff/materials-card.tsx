import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addMaterial,
  downloadMaterial,
  type EventView,
  publishMaterial,
  readEvent,
  removeMaterial,
} from '#domain/events/endpoints.ts'
import { materialAudiences } from '#domain/events/events.ts'
import { download, pathOf } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import { useAction } from '#web/api/use-action.ts'
import classes from '#web/modules/events/events.module.css'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'

/** An event's files: internal, or published to its visitors. */
export function MaterialsCard({ event: { id, materials, may } }: { event: EventView }) {
  const { t } = useTranslation('events')
  const { act, actOrThrow, running } = useAction(keyOf(readEvent))
  const params = (materialId: string) => ({ id, materialId })
  return (
    <Card title={t('view.materials')} count={materials.length}>
      <Stack>
        {materials.length === 0 && <Text c="dimmed">{t('view.noMaterials')}</Text>}
        <ul className={classes.lines}>
          {materials.map(({ id: materialId, title, fileName, audience, publishedAt }) => (
            <li key={materialId}>
              <span>
                {title}
                <Text size="sm" c="dimmed">
                  {t(`audience.${audience}`)}
                </Text>
              </span>
              <Group gap="xs">
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => download(pathOf(downloadMaterial.path, params(materialId)), fileName)}
                  aria-label={t('view.download', { title })}
                >
                  {fileName}
                </Button>
                {may.update && audience === 'visitors' && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={running === materialId}
                    onClick={() =>
                      act(
                        materialId,
                        () =>
                          sendOnce(publishMaterial, {
                            params: params(materialId),
                            body: { published: publishedAt === null },
                          }),
                        () => t(publishedAt === null ? 'view.shown' : 'view.hidden'),
                      )
                    }
                  >
                    {t(publishedAt === null ? 'view.show' : 'view.hide')}
                  </Button>
                )}
                {may.update && (
                  <ConfirmButton
                    size="compact-sm"
                    variant="default"
                    danger
                    message={t('view.removeText')}
                    onConfirm={() =>
                      actOrThrow(
                        `remove ${materialId}`,
                        () => sendOnce(removeMaterial, { params: params(materialId) }),
                        () => t('view.removed'),
                      )
                    }
                  >
                    {t('view.remove')}
                  </ConfirmButton>
                )}
              </Group>
            </li>
          ))}
        </ul>
        {may.update && <AddMaterial eventId={id} />}
      </Stack>
    </Card>
  )
}

function AddMaterial({ eventId }: { eventId: string }) {
  const { t } = useTranslation('events')
  const queries = useQueryClient()
  const [title, setTitle] = useState('')
  const [audience, setAudience] = useState<(typeof materialAudiences)[number]>('visitors')
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('view.addMaterial')}</Text>
      <TextInput
        label={t('view.materialTitle')}
        maxLength={150}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Select
        label={t('view.materialAudience')}
        allowDeselect={false}
        data={materialAudiences.map((value) => ({ value, label: t(`audience.${value}`) }))}
        value={audience}
        onChange={(value) => value && setAudience(value as typeof audience)}
      />
      <FileDrop
        label={t('view.materialFile')}
        accept={['application/pdf', 'image/png', 'image/jpeg']}
        maxBytes={10_000_000}
        shrink={false}
        onSend={async (file, onProgress, signal) => {
          const form = new FormData()
          form.append('file', file)
          const query = new URLSearchParams({ title: title.trim() || file.name.replace(/\.[^.]*$/, ''), audience })
          await upload(`${pathOf(addMaterial.path, { id: eventId })}?${query}`, form, onProgress, { signal })
          setTitle('')
          await queries.invalidateQueries()
        }}
      />
    </Stack>
  )
}
