import { declare } from './refusal.ts'

/** Refusals of the operator's brand. */
export const brandRefusals = declare({
  accent_unreadable: [
    422,
    'White text on this colour has a contrast of {ratio}:1. It needs {least}:1: choose a darker colour.',
    'Textul alb pe această culoare are un contrast de {ratio}:1. Este nevoie de {least}:1: alege o culoare mai închisă.',
  ],
  logo_type: [
    422,
    'A logo is a PNG, JPEG or WebP image. SVG is not taken, because it may hold programs.',
    'Sigla este o imagine PNG, JPEG sau WebP. SVG nu se acceptă, pentru că poate conține programe.',
  ],
  logo_damaged: [
    422,
    'This image is damaged: its pixels cannot be read. Save it again, and choose the new file.',
    'Această imagine este deteriorată: pixelii ei nu se pot citi. Salveaz-o din nou și alege fișierul nou.',
  ],
  logo_too_large: [
    422,
    'A logo has at most {most} KB; this file has {size}.',
    'Sigla are cel mult {most} KB; acest fișier are {size}.',
  ],
  logo_size: [
    422,
    'This image has {width} × {height} pixels. Each side has {least} to {most}, and the longer one is at most {ratio} times the shorter.',
    'Această imagine are {width} × {height} pixeli. Fiecare latură are între {least} și {most}, iar cea mai lungă este de cel mult {ratio} ori mai mare.',
  ],
})
