/**
 * An application with JPA, caching, sessions and security that knows nothing of rate
 * limits.
 */
@NullMarked
package com.example.notes;

import org.jspecify.annotations.NullMarked;
