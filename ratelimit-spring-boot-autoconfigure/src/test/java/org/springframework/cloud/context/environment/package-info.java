@NullMarked
package org.springframework.cloud.context.environment;

import org.jspecify.annotations.NullMarked;
