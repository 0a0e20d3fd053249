@NullMarked
package dev.ratelimit.telemetry;

import org.jspecify.annotations.NullMarked;
