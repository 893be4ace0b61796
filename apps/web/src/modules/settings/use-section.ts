import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#domain/endpoint.ts'
import { type GeneralSettings, readGeneralSettings, saveSection } from '#domain/settings/endpoints.ts'
import type { SettingsSection } from '#domain/settings/sections.ts'
import type { Settings } from '#domain/settings/settings.ts'
import { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { refreshBranding } from '#web/app/branding.ts'
import { useSession } from '#web/app/session.tsx'

type Values = Partial<Settings>

/** Takes over what the server answered, on this page and in the frame around it. */
export function useTakeOver() {
  const queries = useQueryClient()
  return (data: GeneralSettings) => {
    queries.setQueryData(keyOf(readGeneralSettings, {}), { data })
    void refreshBranding()
  }
}

/** One section of the settings: what is typed, what is saved, and saving it. */
export function useSection(section: SettingsSection, keys: readonly (keyof Settings)[], data: GeneralSettings) {
  const send = useSend(saveSection[section] as Endpoint)
  const { t } = useTranslation('settings')
  const queries = useQueryClient()
  const takeOver = useTakeOver()
  const editable = useSession().may('settings-general-update')
  const [typed, setTyped] = useState<Values>({})
  const [busy, setBusy] = useState(false)
  /** The version the answers were made from; another one now means that somebody else saved. */
  const [base, setBase] = useState<number | null>(null)

  const saved = Object.fromEntries(keys.map((key) => [key, data.values[key]])) as Values
  const same = (key: keyof Settings) => JSON.stringify(typed[key] ?? saved[key]) === JSON.stringify(saved[key])
  const dirty = keys.some((key) => !same(key))
  const version = data.versions[section] ?? 0
  const stale = dirty && base !== null && base !== version

  const body = { ...saved, ...typed, version: base ?? version }
  const checks = useChecks(saveSection[section], body)

  /** Drops what was typed; what was typed after `sent` was sent stays. */
  const forget = (sent?: Values) => {
    setTyped((now) =>
      sent
        ? Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== sent[key as keyof Settings]))
        : {},
    )
    checks.reset({ ...saved, version })
    setBase(null)
  }

  async function save() {
    if (busy || !checks.isReady()) return
    setBusy(true)
    try {
      const answer = (await send({ body } as never)) as { data: GeneralSettings }
      forget(typed)
      takeOver(answer.data)
      notifications.show({ color: 'green', message: `${t(section)}: ${t('saved')}` })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'stale_version') await queries.invalidateQueries({ queryKey: keyOf(readGeneralSettings) })
      else checks.refuse(error)
    } finally {
      setBusy(false)
    }
  }

  return {
    section,
    values: { ...saved, ...typed } as Settings,
    saved: saved as Settings,
    checks,
    busy,
    dirty,
    stale,
    editable,
    edited: data.edited[section] ?? null,
    forget: () => forget(),
    save,
    /** Goes on with what was typed, over what somebody else saved. */
    keepMine: () => setBase(version),
    set<K extends keyof Settings>(key: K, value: Settings[K]) {
      setTyped((before) => ({ ...before, [key]: value }))
      setBase((before) => before ?? version)
    },
  }
}

export type Section = ReturnType<typeof useSection>
