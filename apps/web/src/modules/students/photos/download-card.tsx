import {
  Alert,
  Anchor,
  Group,
  NumberInput,
  Progress,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { readPhotoDownload, startPhotoDownload } from '#domain/students/photos/endpoints.ts'
import { listPhotos } from '#domain/students/photos/lists.ts'
import {
  backgrounds,
  defaultNameTemplate,
  defaultPhotoSize,
  type PhotoState,
  photoName,
  photoSizeOf,
  photoStates,
  printedSizes,
} from '#domain/students/photos/photo-format.ts'
import { wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useTotal } from '#web/list/use-total.ts'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'

const example = {
  npm: '26550001',
  nama: 'Siti Nurhaliza',
  kode: 'PMB-26-000123',
  prodi: 'Informatika',
  gelombang: 'Gelombang 1',
}
const startOfPixels = '600x800px'
const isState = (text: string | null): text is PhotoState | 'unusable' =>
  ([...photoStates, 'unusable'] as (string | null)[]).includes(text)
type Background = (typeof backgrounds)[number]
const isBackground = (text: string | null): text is Background =>
  (backgrounds as readonly (string | null)[]).includes(text)

/** Size, background and names for a download; size and background are in the address, where the list reads them too. */
export function DownloadCard() {
  const { t } = useTranslation('photos')
  const [params, setParams] = useSearchParams()
  const [started, setStarted] = useState<{ id: string; total: number } | null>(null)
  const size = params.get('size') ?? defaultPhotoSize
  const background = params.get('wanted')
  const status = params.get('status')
  const state = params.get('state')
  const isUnusable = state !== null && state !== 'usable'
  const usableTotal = useTotal(listPhotos, {
    ...Object.fromEntries(['q', ...Object.keys(listPhotos.filters)].map((key) => [key, params.get(key)])),
    state: 'usable',
  })
  const count = isUnusable ? 0 : usableTotal
  const setParam = (name: string, value: string | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const form = useForm({
    call: startPhotoDownload,
    start: { kind: 'zip' as 'zip' | 'sheet', template: defaultNameTemplate },
    body: ({ kind, template }) => ({
      kind,
      state: isState(state) ? state : null,
      size,
      template,
      wanted: isBackground(background) ? background : null,
      waveId: params.get('waveId'),
      programmeId: params.get('programmeId'),
      status: status === 'confirmed' || status === 'enrolled' ? status : null,
      q: params.get('q'),
    }),
    onDone: ({ data }) => {
      setStarted(data)
      const link = document.createElement('a')
      link.href = data.url
      link.click()
    },
  })
  const { kind, template } = form.values
  const isInPixels = size.endsWith('px')
  const pixels = photoSizeOf(size)
  const setSide = (side: 'width' | 'height', typed: string | number) => {
    const next = { ...(pixels ?? photoSizeOf(startOfPixels)!), [side]: Number(typed) }
    setParam('size', `${next.width}x${next.height}px`)
  }
  return (
    <Card title={t('download.title')}>
      <PageForm
        form={form}
        submit={count ? t('download.startMany', { count, total: wholeNumber(count) }) : t('download.start')}
        button={{ disabled: count === 0 }}
        beside={count === 0 && <Text size="sm">{t('download.none')}</Text>}
      >
        <Text size="sm">{t('download.text')}</Text>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Select
            label={t('download.size')}
            description={t('download.dpi')}
            allowDeselect={false}
            data={[...printedSizes, 'px' as const].map((value) => ({ value, label: t(`download.sizes.${value}`) }))}
            value={isInPixels ? 'px' : size}
            onChange={(value) => setParam('size', value === 'px' ? startOfPixels : value)}
            {...form.field('size')}
          />
          {isInPixels && (
            <>
              <NumberInput
                label={t('download.width')}
                allowDecimal={false}
                value={pixels?.width ?? ''}
                onChange={(typed) => setSide('width', typed)}
              />
              <NumberInput
                label={t('download.height')}
                allowDecimal={false}
                value={pixels?.height ?? ''}
                onChange={(typed) => setSide('height', typed)}
              />
            </>
          )}
          <Select
            label={t('download.wanted')}
            placeholder={t('download.any')}
            clearable
            data={backgrounds.map((value) => ({ value, label: t(`background.${value}`) }))}
            value={isBackground(background) ? background : null}
            onChange={(value) => setParam('wanted', value)}
            {...form.field('wanted')}
          />
        </SimpleGrid>
        <Radio.Group label={t('download.kind')} {...form.choice('kind')} withAsterisk={false}>
          <Group mt="xs">
            {(['zip', 'sheet'] as const).map((value) => (
              <Radio key={value} value={value} label={t(`download.${value}`)} />
            ))}
          </Group>
        </Radio.Group>
        {kind === 'zip' && (
          <TextInput
            label={t('download.template')}
            description={t('download.templateHint', { example: `${photoName(template, example)}.jpg` })}
            {...form.text('template')}
          />
        )}
      </PageForm>
      <Stack mt="md">
        {started && <DownloadProgress key={started.id} {...started} />}
        <Group>
          <Anchor component={Link} to={`?${new URLSearchParams({ ...Object.fromEntries(params), state: 'unusable' })}`}>
            {t('download.unusable')}
          </Anchor>
        </Group>
      </Stack>
    </Card>
  )
}

const pollMs = 1_000

function DownloadProgress({ id, total }: { id: string; total: number }) {
  const { t } = useTranslation('photos')
  const { data, error } = useEndpoint(
    readPhotoDownload,
    { params: { id } },
    {
      staleTime: 0,
      refetchInterval: ({ state }) => {
        const status = state.data?.data.status
        return status === 'done' || status === 'stopped' ? false : pollMs
      },
    },
  )
  if (!data && error) return <Text role="alert">{error.message}</Text>
  const { status = 'ready', done = 0, failed = 0 } = data?.data ?? {}
  const counts = { done: wholeNumber(done), total: wholeNumber(total) }
  if (status === 'stopped')
    return (
      <Alert color="red" variant="light" role="alert">
        {t('download.stopped', counts)}
      </Alert>
    )
  return (
    <Stack gap={4} role="status">
      <Progress value={(done / total) * 100} aria-label={t('download.progress', counts)} />
      <Text size="sm">
        {status === 'done' ? t('download.done', { ...counts, count: total }) : t('download.progress', counts)}
      </Text>
      {failed > 0 && <Text size="sm">{t('download.failed', { count: failed })}</Text>}
    </Stack>
  )
}
