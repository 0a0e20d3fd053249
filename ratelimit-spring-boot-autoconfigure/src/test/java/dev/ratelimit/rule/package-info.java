@NullMarked
package dev.ratelimit.rule;

import org.jspecify.annotations.NullMarked;
