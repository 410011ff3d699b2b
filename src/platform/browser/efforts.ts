// Two renderers of one engine that look like one: the quick one that everybody shares, and the patient one apart.
import { RenderError } from './errors.ts';
import type { Renderer } from './types.ts';

/**
 * Renders with the effort that is asked for (see `RenderRequest.effort`). The patient one has no process while nobody
 * needs it.
 */
export function withEfforts(quick: Renderer, patient: Renderer): Renderer {
  return {
    engine: quick.engine,
    version: quick.version,
    async render(request, signal) {
      if (request.effort === 'patient') return patient.render(request, signal);
      try {
        return await quick.render(request, signal);
      } catch (error) {
        if (request.effort === 'quick' || !(error instanceof RenderError && error.isOfDocument)) throw error;
        return patient.render(request, signal);
      }
    },
    async close() {
      await Promise.all([quick.close(), patient.close()]);
    },
  };
}
