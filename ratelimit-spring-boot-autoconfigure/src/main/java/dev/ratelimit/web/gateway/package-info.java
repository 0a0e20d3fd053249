/**
 * Routes of Spring Cloud Gateway that name rules.
 */
@NullMarked
package dev.ratelimit.web.gateway;

import org.jspecify.annotations.NullMarked;
