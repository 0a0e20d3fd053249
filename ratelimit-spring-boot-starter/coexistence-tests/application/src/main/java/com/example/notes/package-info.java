/**
 * An application with JPA, caching, sessions, and security, but without rate limits.
 */
@NullMarked
package com.example.notes;

import org.jspecify.annotations.NullMarked;
