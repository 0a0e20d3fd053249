/**
 * The words users meet: rules' annotation, limiter, decisions and extension points.
 */
@NullMarked
package dev.ratelimit;

import org.jspecify.annotations.NullMarked;
