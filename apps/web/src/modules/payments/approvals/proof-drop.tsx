import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { uploadProof } from '#domain/payments/approvals/endpoints.ts'
import { upload } from '#web/api/upload.ts'
import { FileDrop } from '#web/ui/form/file-drop.tsx'

export type Proof = { id: string; name: string }

type Props = { label: string; proof: Proof | null; onSent: (proof: Proof) => void; error?: ReactNode }

/** Uploads a picture or PDF as proof for a request. */
export function ProofDrop({ label, proof, onSent, error }: Props) {
  return (
    <div>
      <FileDrop
        label={label}
        accept={['image/jpeg', 'image/png', 'application/pdf']}
        maxBytes={5_000_000}
        camera="environment"
        current={proof}
        onSend={async (file, onProgress, signal) => {
          const body = new FormData()
          body.append('file', file)
          onSent((await upload<{ data: Proof }>(uploadProof.path, body, onProgress, { signal })).data)
        }}
      />
      {error && (
        <Input.Error role="alert" mt={4}>
          {error}
        </Input.Error>
      )}
    </div>
  )
}
