"""Pigs as rigid bodies: convex pieces, mass and inertia, and a table they fall on (MuJoCo).

Outside this module lengths are millimetres, as everywhere in `vision.synth`; inside MuJoCo they
are centimetres, grams and seconds, which keeps its numbers near one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.synth.mesh import Mesh
from vision.synth.pig import Pig
from vision.synth.shape import PART_NAMES, PigSolid

Array = NDArray[np.float64]

DENSITY_G_MM3 = 1.15e-3
"""Soft PVC, the pigs' rubber."""

_CM = 0.1


@dataclass(frozen=True, slots=True)
class Material:
    """How rubber meets a table top, and rubber rubber.

    `friction` is Coulomb's (0 to 2), `restitution` the part of the speed that a blow straight
    through the centre gives back (0 to 1), `give_mm` how deep a fall from 15 cm dents it,
    `roll_mm` the arm of rolling resistance. `round_cone` lets friction be alike in all
    directions, as it is; the facets of a pyramid, which is quicker, share it with rolling.
    """

    friction: float = 0.6
    restitution: float = 0.5
    give_mm: float = 0.8
    roll_mm: float = 0.05
    round_cone: bool = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.friction <= 2.0 or not 0.0 <= self.restitution < 1.0:
            raise ValueError(
                "friction lies in 0 to 2 and restitution in 0 to below 1, "
                f"got {self.friction} and {self.restitution}"
            )
        if self.give_mm <= 0 or self.roll_mm < 0:
            raise ValueError("give_mm is positive, roll_mm 0 or more")

    def solref(self) -> tuple[float, float]:
        """MuJoCo's contact spring: (-stiffness, -damping) a unit of mass, from the measures."""
        fall_cm_s = np.sqrt(2 * 981.0 * 15.0)
        omega = fall_cm_s / (self.give_mm * _CM)
        log_e = np.log(max(self.restitution, 1e-3))
        ratio = -log_e / np.sqrt(np.pi**2 + log_e**2)
        return -float(omega**2), -float(2.0 * ratio * omega)


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A rigid pig: convex `pieces` (float64[N, 3] each, mm, pig frame), mass and its moments.

    `inertia` float64[3, 3] about `centre`, g mm².
    """

    pieces: tuple[Array, ...]
    mass_g: float
    centre: Array
    inertia: Array


def pig_body(pig: Pig) -> Body:
    """Cut a pig's surface into one convex piece a part; moments from the whole solid."""
    return cut_body(pig.mesh, PigSolid(pig.shape))


def cut_body(mesh: Mesh, solid: PigSolid) -> Body:
    """Cut any closed mesh of a pig's solid likewise."""
    import trimesh

    nearest = solid.part_distances(mesh.vertices.astype(np.float64)).argmin(axis=0)
    nearest[nearest == PART_NAMES.index("teats")] = PART_NAMES.index("body")
    pieces = []
    for part in range(len(PART_NAMES)):
        own = mesh.vertices[nearest == part].astype(np.float64)
        if len(own) >= 8:
            pieces.append(_hull_corners(own))
    surface = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    if surface.volume < 0:
        surface.invert()
    surface.density = DENSITY_G_MM3
    return Body(
        pieces=tuple(pieces),
        mass_g=float(surface.mass),
        centre=np.asarray(surface.center_mass, dtype=np.float64),
        inertia=np.asarray(surface.moment_inertia, dtype=np.float64),
    )


def _hull_corners(points: Array) -> Array:
    from scipy.spatial import ConvexHull

    return np.asarray(points[ConvexHull(points).vertices])


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Where a pig is and how it moves.

    `position` of the pig's origin (mm), `rotation` float64[3, 3] pig to world, `velocity` of
    the origin (mm/s) and `spin` (rad/s), both in the world's axes.
    """

    position: Array
    rotation: Array
    velocity: Array
    spin: Array

    @property
    def up(self) -> Array:
        """The table's upward normal in the pig's frame."""
        return np.asarray(self.rotation.T @ np.array([0.0, 0.0, 1.0]))


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """Two bodies in contact now: indices of the pigs (-1 is the table), normal force in mN."""

    first: int
    second: int
    force_mn: float


class World:
    """A table and pigs on it, ready to be stepped.

    `blocks` are convex things that never move (corners float64[N, 3], world, mm): a rim, a cup.
    The same start gives the same course on the same machine and version of MuJoCo.
    """

    def __init__(
        self,
        bodies: tuple[Body, ...],
        material: Material | None = None,
        step_ms: float = 0.25,
        blocks: tuple[Array, ...] = (),
    ) -> None:
        import mujoco

        self._mj = mujoco
        self.bodies = bodies
        self.material = material or Material()
        self.model: Any = _spec(mujoco, bodies, self.material, step_ms, blocks).compile()
        self.data: Any = mujoco.MjData(self.model)
        self._owner = [int(b) - 1 for b in self.model.geom_bodyid]

    @property
    def time_s(self) -> float:
        """Seconds since the start."""
        return float(self.data.time)

    def start(self, motions: tuple[Motion, ...]) -> None:
        """Put every pig where `motions` says, at time zero."""
        if len(motions) != len(self.bodies):
            raise ValueError(f"{len(self.bodies)} pigs need as many motions, got {len(motions)}")
        self._mj.mj_resetData(self.model, self.data)
        for i, motion in enumerate(motions):
            self.place(i, motion)
        self._mj.mj_forward(self.model, self.data)

    def place(self, index: int, motion: Motion) -> None:
        """Put one pig where `motion` says; the others go on."""
        quat = np.zeros(4)
        self._mj.mju_mat2Quat(quat, motion.rotation.reshape(9))
        self.data.qpos[7 * index : 7 * index + 3] = motion.position * _CM
        self.data.qpos[7 * index + 3 : 7 * index + 7] = quat
        self.data.qvel[6 * index : 6 * index + 3] = motion.velocity * _CM
        # A free joint's angular velocity is in the body's own axes.
        self.data.qvel[6 * index + 3 : 6 * index + 6] = motion.rotation.T @ motion.spin

    def run(self, seconds: float) -> None:
        """Step the world for about `seconds`."""
        steps = max(1, round(seconds / self.model.opt.timestep))
        self._mj.mj_step(self.model, self.data, steps)

    def motion(self, index: int) -> Motion:
        """Where pig `index` is now."""
        matrix = np.zeros(9)
        self._mj.mju_quat2Mat(matrix, self.data.qpos[7 * index + 3 : 7 * index + 7])
        rotation = matrix.reshape(3, 3)
        return Motion(
            position=self.data.qpos[7 * index : 7 * index + 3] / _CM,
            rotation=rotation,
            velocity=self.data.qvel[6 * index : 6 * index + 3] / _CM,
            spin=rotation @ self.data.qvel[6 * index + 3 : 6 * index + 6],
        )

    def motions(self) -> tuple[Motion, ...]:
        """Where every pig is now."""
        return tuple(self.motion(i) for i in range(len(self.bodies)))

    def touches(self) -> tuple[Touch, ...]:
        """Every pair of bodies that press on each other now."""
        forces: dict[tuple[int, int], float] = {}
        out = np.zeros(6)
        for i in range(self.data.ncon):
            contact = self.data.contact[i]
            pair = sorted(self._owner[g] for g in (contact.geom1, contact.geom2))
            self._mj.mj_contactForce(self.model, self.data, i, out)
            key = (pair[0], pair[1])
            forces[key] = forces.get(key, 0.0) + float(out[0]) * 1e-2
        return tuple(Touch(a, b, f) for (a, b), f in forces.items() if f > 0.0)


def _spec(
    mujoco: Any,
    bodies: tuple[Body, ...],
    material: Material,
    step_ms: float,
    blocks: tuple[Array, ...],
) -> Any:
    spec = mujoco.MjSpec()
    spec.option.timestep = step_ms * 1e-3
    spec.option.gravity = [0.0, 0.0, -981.0]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    cones = mujoco.mjtCone
    spec.option.cone = cones.mjCONE_ELLIPTIC if material.round_cone else cones.mjCONE_PYRAMIDAL
    spec.option.iterations = 20
    table = spec.worldbody.add_geom()
    table.type = mujoco.mjtGeom.mjGEOM_PLANE
    table.size = [0.0, 0.0, 1.0]
    _rub(table, material)
    for k, block in enumerate(blocks):
        _add_piece(mujoco, spec, spec.worldbody, f"block{k}", block, material)
    for i, body in enumerate(bodies):
        _add_pig(mujoco, spec, body, material, i)
    return spec


def _add_pig(mujoco: Any, spec: Any, body: Body, material: Material, index: int) -> None:
    pig = spec.worldbody.add_body()
    pig.add_freejoint()
    pig.explicitinertial = True
    pig.mass = body.mass_g
    pig.ipos = body.centre * _CM
    tensor = body.inertia * _CM**2
    pig.fullinertia = [
        tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2]
    ]  # fmt: skip
    for k, piece in enumerate(body.pieces):
        _add_piece(mujoco, spec, pig, f"pig{index}_{k}", piece, material)


def _add_piece(
    mujoco: Any, spec: Any, parent: Any, name: str, corners: Array, material: Material
) -> None:
    mesh = spec.add_mesh()
    mesh.name = name
    mesh.uservert = (corners * _CM).astype(np.float32).reshape(-1)
    mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
    geom = parent.add_geom()
    geom.type = mujoco.mjtGeom.mjGEOM_MESH
    geom.meshname = name
    _rub(geom, material)


def _rub(geom: Any, material: Material) -> None:
    geom.condim = 6 if material.roll_mm > 0 else 3
    geom.friction = [material.friction, 0.005, material.roll_mm * _CM]
    geom.solref = list(material.solref())
    geom.solimp = [0.98, 0.99, 0.001, 0.5, 2.0]
