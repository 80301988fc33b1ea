// Runs each test file in a slot of the run (scripts/suite/slots.mjs): a `setupFiles` of the suites.

import { afterAll } from "vitest";
import { takeSlot } from "../scripts/suite/slots.mjs";

afterAll(await takeSlot());
