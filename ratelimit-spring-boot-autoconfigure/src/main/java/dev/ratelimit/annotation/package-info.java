/**
 * What annotations on methods and classes say: which rules they write or name, and which
 * methods are exempt. Needs no web.
 */
@NullMarked
package dev.ratelimit.annotation;

import org.jspecify.annotations.NullMarked;
