/**
 * Internal: the endpoints, health, and meters that all capabilities contribute to, and
 * the meters of each rule. May use the wiring, the web, the engine, and the stores.
 * Entered by Spring Boot's actuator; capabilities contribute
 * {@link dev.ratelimit.actuate.EndpointPart}, {@link dev.ratelimit.actuate.LiveResource},
 * and {@link dev.ratelimit.actuate.HealthPart} as beans.
 */
@NullMarked
package dev.ratelimit.actuate;

import org.jspecify.annotations.NullMarked;
