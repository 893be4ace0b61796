import { Box, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { PageTabs } from '#web/shell/page-tabs.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

/** Chapters of the guide, each with its first page. */
const chapters = [
  ['layout', '/builder'],
  ['start', '/apps/customers/getting-started'],
  ['lists', '/apps/customers/customers-listing'],
  ['detail', '/apps/customers/customer-details'],
  ['form', '/apps/subscriptions/add-subscription'],
  ['dialogs', '/crafted/modals/general'],
  ['wizards', '/crafted/pages/wizards/horizontal'],
  ['profile', '/crafted/pages/profile/overview'],
  ['widgets', '/crafted/widgets'],
] as const

/** First page of a chapter by the address of its other pages. */
const chapterOf: Record<string, string> = {
  '/apps/subscriptions/getting-started': '/apps/customers/getting-started',
  '/apps/subscriptions/subscription-list': '/apps/customers/customers-listing',
  '/apps/subscriptions/view-subscription': '/apps/customers/customer-details',
  '/crafted/modals/forms': '/crafted/modals/general',
  '/crafted/modals/wizards': '/crafted/modals/general',
  '/crafted/pages/wizards/vertical': '/crafted/pages/wizards/horizontal',
}

/** Links to the chapters of the guide. */
export function GuideTabs() {
  const { t } = useTranslation('samples')
  const { pathname } = useLocation()
  const current = pathname.startsWith('/crafted/pages/profile') ? '/crafted/pages/profile/overview' : pathname
  return (
    <PageTabs
      label={t('guide')}
      current={chapterOf[current] ?? current}
      tabs={chapters.map(([chapter, path]) => [path, t(`chapter.${chapter}`)])}
    />
  )
}

type PageProps = { title?: ReactNode; description?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A page of the guide: its title, the chapters, and its samples. */
export function GuidePage({ title, description, actions, children }: PageProps) {
  const { t } = useTranslation('samples')
  const screenTitle = useScreenTitle()
  return (
    <>
      <PageHeader title={title ?? screenTitle} description={description ?? t('intro')} actions={actions} />
      <GuideTabs />
      <Stack gap="xl">{children}</Stack>
    </>
  )
}

type SampleProps = {
  /** Name in the code, such as `<Card>`. */
  code: string
  /** File below `apps/web/src`, or the part's package. */
  file: string
  /** When to use the part. */
  when: string
  children: ReactNode
}

/** A shared part with its name in code, its file and a sentence about when to use it. */
export function Sample({ code, file, when, children }: SampleProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        <code>{code}</code>
      </Title>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {file}
      </Text>
      <Text mt={4}>{when}</Text>
      <Box mt="sm">{children}</Box>
    </section>
  )
}
