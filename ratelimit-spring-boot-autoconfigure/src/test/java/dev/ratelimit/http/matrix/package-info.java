@NullMarked
package dev.ratelimit.http.matrix;

import org.jspecify.annotations.NullMarked;
