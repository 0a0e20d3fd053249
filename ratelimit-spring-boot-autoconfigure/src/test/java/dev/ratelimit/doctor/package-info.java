@NullMarked
package dev.ratelimit.doctor;

import org.jspecify.annotations.NullMarked;
