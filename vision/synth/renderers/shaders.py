"""The GLSL programs of the rasterizer.

Shadows are percentage-closer soft shadows (Fernando 2005); the table's occlusion comes from a
map of the undersides seen from below; the pig's own from its distance field, baked at vertices.
"""

from __future__ import annotations

MAX_LIGHTS = 4
SHADOW_LIGHTS = 2

_COMMON = (
    f"#version 330\nconst int LIGHTS = {MAX_LIGHTS};\nconst int SHADOWS = {SHADOW_LIGHTS};\n"
    """
uniform int light_count;
uniform vec3 light_dir[LIGHTS];
uniform vec3 light_colour[LIGHTS];
uniform float light_size[SHADOWS];
uniform mat4 light_matrix[SHADOWS];
uniform sampler2D shadow_map[SHADOWS];
uniform float shadow_reach;
uniform vec3 ambient;
uniform vec3 eye;
uniform float exposure;
uniform vec3 bounce;

float hash21(vec2 p) {
    p = fract(p * vec2(123.34, 456.21));
    p += dot(p, p + 45.32);
    return fract(p.x * p.y);
}
float hash31(vec3 p) {
    p = fract(p * 0.1031);
    p += dot(p, p.zyx + 31.32);
    return fract((p.x + p.y) * p.z);
}
float noise3(vec3 p) {
    vec3 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(mix(hash31(i), hash31(i + vec3(1, 0, 0)), f.x),
                   mix(hash31(i + vec3(0, 1, 0)), hash31(i + vec3(1, 1, 0)), f.x), f.y),
               mix(mix(hash31(i + vec3(0, 0, 1)), hash31(i + vec3(1, 0, 1)), f.x),
                   mix(hash31(i + vec3(0, 1, 1)), hash31(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}
const vec2 TAPS[8] = vec2[8](
    vec2(-0.33, -0.74), vec2(0.62, -0.53), vec2(-0.85, 0.02), vec2(0.15, -0.11),
    vec2(0.88, 0.26), vec2(-0.41, 0.63), vec2(0.31, 0.82), vec2(-0.27, 0.17));

float shadow_one(sampler2D map, mat4 matrix, vec3 world, float size, float bias) {
    vec4 clip = matrix * vec4(world, 1.0);
    vec3 at = clip.xyz * 0.5 + 0.5;
    if (any(lessThan(at.xy, vec2(0.01))) || any(greaterThan(at.xy, vec2(0.99)))) return 1.0;
    float angle = 6.2832 * hash21(gl_FragCoord.xy);
    mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
    float depth = at.z - bias;
    float search = 0.10 * size + 0.002;
    float blockers = 0.0, sum = 0.0;
    for (int i = 0; i < 8; i += 1) {
        float d = texture(map, at.xy + turn * TAPS[i] * search).r;
        if (d < depth) { blockers += 1.0; sum += d; }
    }
    if (blockers < 0.5) return 1.0;
    float gap = max(depth - sum / blockers, 0.0);
    float soft = clamp(gap * size * 2.0, 0.0012, search);
    float lit = 0.0;
    for (int i = 0; i < 8; i += 1)
        lit += step(depth, texture(map, at.xy + turn * TAPS[7 - i].yx * soft).r);
    return lit / 8.0;
}
float lit_by(int i, vec3 world, float bias) {
    if (i == 0) return shadow_one(shadow_map[0], light_matrix[0], world, light_size[0], bias);
    if (i == 1) return shadow_one(shadow_map[1], light_matrix[1], world, light_size[1], bias);
    return 1.0;
}
vec3 finish(vec3 c) {
    c *= exposure;
    c = c * (1.0 + c * 0.15) / (1.0 + c * 0.75);
    return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2));
}
"""
)

SOLID_VERTEX = """
#version 330
uniform mat4 model;
uniform mat4 view;
in vec3 in_position;
in vec3 in_normal;
in float in_openness;
out vec3 local;
out vec3 world;
out vec3 normal;
out vec3 local_normal;
out float openness;
void main() {
    local = in_position;
    local_normal = in_normal;
    world = (model * vec4(in_position, 1.0)).xyz;
    normal = mat3(model) * in_normal;
    openness = in_openness;
    gl_Position = view * vec4(world, 1.0);
}
"""

SOLID_FRAGMENT = (
    _COMMON
    + """
uniform bool is_pig;
uniform vec3 skin;
uniform vec3 hoof_colour;
uniform vec3 dot_colour;
uniform vec3 hooves[4];
uniform vec3 snout;
uniform vec3 snout_normal;
uniform vec3 eyes[2];
uniform vec3 dot_at;
uniform vec4 wear;
uniform float dot_radius;
uniform float hoof_reach;
uniform float gloss;
uniform float mottle;
uniform float translucency;
uniform float paint_seed;
in vec3 local;
in vec3 world;
in vec3 normal;
in vec3 local_normal;
in float openness;
out vec4 colour;

float worn(float amount, float n) {
    return smoothstep(amount - 0.08, amount + 0.08, n * 0.86 + 0.07);
}
vec3 painted(out float shine) {
    shine = gloss;
    if (!is_pig) return skin;
    vec3 base = skin;
    float low = noise3(local * 0.22 + paint_seed * 1.7) - 0.5;
    float high = noise3(local * 1.3 + paint_seed) - 0.5;
    base *= 1.0 + mottle * (1.6 * low + 0.7 * high);
    base = mix(base, base * vec3(1.04, 0.92, 0.90), clamp(1.0 - openness, 0.0, 1.0));
    // Two noises serve every edge and every patch of wear: they lie far apart on the pig.
    float patches = noise3(local * 0.9 + paint_seed + 3.0) * 0.7 + (high + 0.5) * 0.3;
    float specks = noise3(local * 1.7 + paint_seed + 7.0);
    float seam = 1.0 - smoothstep(0.05, 0.22, abs(local.y + 0.25 * low));
    base *= 1.0 - 0.10 * seam;
    float hoof = 0.0;
    for (int i = 0; i < 4; i += 1) {
        float edge = hoof_reach + 0.9 * high;
        hoof = max(hoof, 1.0 - smoothstep(edge - 0.15, edge + 0.15, distance(local, hooves[i])));
    }
    base = mix(base, hoof_colour, hoof * worn(wear.x, patches));
    vec3 s = local - snout;
    float along = dot(s, snout_normal);
    float plate = smoothstep(-0.95, -0.55, along) * step(length(s), 3.4);
    base = mix(base, hoof_colour, plate * worn(wear.y, patches));
    for (int i = 0; i < 2; i += 1) {
        vec3 e = (local - eyes[i]) * vec3(1.0, 0.8, 1.5);
        float eye_mask = 1.0 - smoothstep(0.62, 0.82, length(e));
        base = mix(base, dot_colour, eye_mask * worn(wear.z, specks));
    }
    float r = length((local - dot_at).xz);
    float ragged = dot_radius + 0.25 * (specks - 0.5);
    float is_dot = (1.0 - smoothstep(ragged - 0.1, ragged + 0.1, r))
        * step(local.y, dot_at.y + 2.0);
    is_dot *= worn(wear.w, specks);
    base = mix(base, dot_colour, is_dot);
    shine = mix(gloss, gloss + 0.15, max(is_dot, hoof * 0.5));
    return base;
}
void main() {
    float shine;
    vec3 albedo = painted(shine);
    vec3 n = normalize(normal);
    vec3 to_eye = normalize(eye - world);
    if (dot(n, to_eye) < -0.2) n = -n;
    float wrap = translucency;
    float ground = 1.0 - 0.75 * exp(-max(world.z, 0.0) / 3.5) * (0.5 - 0.5 * n.z);
    float free = clamp(openness, 0.0, 1.0) * ground;
    vec3 bounced = free / (1.0 - albedo * (1.0 - free) * 0.9);
    vec3 total = albedo * bounced
        * (ambient * (0.55 + 0.45 * n.z) + bounce * (0.5 - 0.5 * n.z));
    float power = exp2(2.0 + 7.0 * shine);
    for (int i = 0; i < light_count; i += 1) {
        float facing = dot(n, light_dir[i]);
        float lit = lit_by(i, world + n * 0.25, 0.0035);
        vec3 wrapped = clamp((facing + wrap * vec3(1.0, 0.55, 0.45))
                             / (1.0 + wrap * vec3(1.0, 0.55, 0.45)), 0.0, 1.0);
        float shade = mix(lit, 1.0, 0.18 * wrap);
        total += albedo * light_colour[i] * wrapped * shade * mix(1.0, free, 0.35);
        vec3 h = normalize(light_dir[i] + to_eye);
        float fresnel = 0.04 + 0.96 * pow(1.0 - max(dot(h, to_eye), 0.0), 5.0);
        total += light_colour[i] * lit * fresnel * shine * 2.2 * (power + 8.0) / 25.0
            * pow(max(dot(n, h), 0.0), power) * step(0.0, facing);
    }
    float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 4.0);
    total += ambient * rim * shine * 0.35 * free;
    colour = vec4(finish(total), 1.0);
}
"""
)

TABLE_VERTEX = """
#version 330
uniform mat4 view;
uniform float extent;
uniform vec2 middle;
in vec2 in_corner;
out vec3 world;
void main() {
    world = vec3(in_corner * extent + middle, 0.0);
    gl_Position = view * vec4(world, 1.0);
}
"""

TABLE_FRAGMENT = (
    _COMMON
    + """
uniform sampler2DArray textures;
uniform float layer;
uniform mat2 turn;
uniform vec2 offset;
uniform float scale;
uniform vec3 tint;
uniform float plain;
uniform float bump;
uniform float gloss;
uniform float ground_shadow;
uniform sampler2D under_map;
uniform vec2 under_middle;
uniform float under_radius;
in vec3 world;
out vec4 colour;

float occlusion() {
    vec2 at = (world.xy - under_middle) / under_radius * 0.5 + 0.5;
    if (any(lessThan(at, vec2(0.02))) || any(greaterThan(at, vec2(0.98)))) return 1.0;
    float angle = 6.2832 * hash21(gl_FragCoord.xy + 3.0);
    mat2 spin = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
    float hidden = 0.0, weight = 0.0;
    for (int ring = 0; ring < 2; ring += 1) {
        float reach = ring == 0 ? 2.2 : 6.5;
        for (int i = 0; i < 8; i += 1) {
            vec2 step_mm = spin * TAPS[i] * reach;
            float under = texture(under_map, at + step_mm / under_radius * 0.5).r * 40.0;
            float solid = clamp(1.0 - under / (reach * 1.5), 0.0, 1.0);
            float w = ring == 0 ? 0.5 : 0.5;
            hidden += w * solid;
            weight += w;
        }
    }
    return 1.0 - 0.85 * hidden / weight;
}
void main() {
    vec2 uv = turn * world.xy / scale + offset;
    vec3 sampled = pow(texture(textures, vec3(uv, layer)).rgb, vec3(2.2));
    vec3 albedo = mix(sampled * tint * 2.0, tint, plain);
    // The surface's relief is taken from its brightness, by screen derivatives.
    float here = dot(sampled, vec3(0.33));
    vec3 n = normalize(vec3(-bump * dFdx(here) * 2.0, -bump * dFdy(here) * 2.0, 1.0));
    float free = mix(1.0, occlusion(), ground_shadow);
    vec3 to_eye = normalize(eye - world);
    vec3 total = albedo * ambient * free;
    for (int i = 0; i < light_count; i += 1) {
        float lit = mix(1.0, lit_by(i, world, 0.0025), ground_shadow);
        total += albedo * light_colour[i] * max(dot(n, light_dir[i]), 0.0) * lit
            * mix(1.0, free, 0.5);
        vec3 h = normalize(light_dir[i] + to_eye);
        total += light_colour[i] * lit * gloss * pow(max(dot(n, h), 0.0), 60.0);
    }
    colour = vec4(finish(total), 0.0);
}
"""
)

DEPTH_VERTEX = """
#version 330
uniform mat4 model;
uniform mat4 view;
in vec3 in_position;
void main() { gl_Position = view * model * vec4(in_position, 1.0); }
"""

DEPTH_FRAGMENT = """
#version 330
void main() {}
"""
